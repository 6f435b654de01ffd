# Writes what PROGRAM says of itself into FOLDER: its manual page, and completions for shells.
function(said file)
    execute_process(COMMAND ${PROGRAM} ${ARGN} OUTPUT_FILE ${FOLDER}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
file(MAKE_DIRECTORY ${FOLDER})
said(zwalk.1 man)
said(zwalk completion bash)
said(_zwalk completion zsh)
said(zwalk.fish completion fish)
