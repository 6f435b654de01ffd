"""What the checks of compiled kernels share: which objects there are, and what a kernel is called."""
import re
import subprocess


def objects(build):
    """The CUDA objects of a build, without those of projects that tests build inside its folder."""
    return [file for file in sorted(build.rglob("*.cu.o"))
            if not file.relative_to(build).parts[0].startswith("consumer-")]


def short_names(mangled):
    """Mangled names -> names that limits and rules see: without namespaces of libraries, and arguments."""
    mangled = list(mangled)
    plain = subprocess.run(["c++filt"], input="\n".join(mangled), text=True, capture_output=True,
                           check=True).stdout.splitlines()
    drop = re.compile(r"zwalk::v0::|detail::|CUB_\w+::|THRUST_\w+::|^void |\(.*")
    return {name: drop.sub("", text) for name, text in zip(mangled, plain)}


def rows(file):
    """The lines of a file of limits or rules, without comments."""
    return [line for line in file.read_text().splitlines() if line.strip() and not line.startswith("#")]
