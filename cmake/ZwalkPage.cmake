# The files of framework/src/walk/page as strings of a header, page.hpp: every page of a trace carries them along.
set(parts ${PROJECT_SOURCE_DIR}/framework/src/walk/page)
file(READ ${parts}/page.html page_html)
file(READ ${parts}/page.css page_css)
set(page_js "")
foreach(script model view controls)
    file(READ ${parts}/${script}.js text)
    string(APPEND page_js "${text}")
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${parts}/page.html ${parts}/page.css ${parts}/model.js ${parts}/view.js ${parts}/controls.js)
configure_file(${CMAKE_CURRENT_LIST_DIR}/page.hpp.in ${PROJECT_BINARY_DIR}/generated/page.hpp @ONLY)
