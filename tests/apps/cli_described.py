"""zwalk man and zwalk completion: what the program says of itself for man and for shells."""
import re
import shutil
import subprocess

from harness import Case


class Described(Case):
    def commands(self):
        """{command: its options}, as --help has them."""
        names = re.findall(r"^  ([a-z-]+) ", self.ok("--help").split("Subcommands:")[1], re.M)
        self.assertGreater(len(names), 10)
        return {name: re.findall(r"(?<![\w-])--?[a-z][a-z-]*", self.options_of(name)) for name in names}

    def options_of(self, command):
        """The left column of the options in its help."""
        text = self.ok(command, "--help").split("Options:")[1]
        return "\n".join(re.findall(r"^  (-.*?)(?:  |$)", text, re.M))

    def shell(self, shell, script, *args):
        """What a shell prints for a script; None where there is no such shell."""
        if not shutil.which(shell):
            return None
        r = subprocess.run([shell, *args, "-c", script], cwd=self.dir, capture_output=True, text=True, timeout=60)
        self.assertEqual((r.returncode, r.stderr), (0, ""))
        return r.stdout.split()

    def test_manual_has_all_commands_and_options(self):
        page = self.ok("man")
        for command, options in self.commands().items():
            part = page.split(f".SS zwalk {command}\n".replace("-", "\\-"))[1].split("\n.S")[0].replace("\\-", "-")
            for option in options:
                self.assertIn(f"\\fB{option}\\fR", part, command)

    def test_manual_is_well_formed(self):
        groff = shutil.which("groff")
        if not groff:
            self.skipTest("no groff")
        r = subprocess.run([groff, "-man", "-ww", "-Tutf8"], input=self.ok("man"), capture_output=True, text=True, timeout=60)
        self.assertEqual((r.returncode, r.stderr), (0, ""))
        self.assertIn("zwalk hdbscan INPUT", re.sub(r"\x1b\[[0-9;]*m|.\x08", "", r.stdout))

    def test_bash(self):
        self.write("zwalk.bash", self.ok("completion", "bash"))

        def completed(*words):
            line = " ".join(f"'{w}'" for w in ("zwalk", *words))
            return self.shell("bash", f"source ./zwalk.bash; COMP_WORDS=({line}); COMP_CWORD={len(words)}; _zwalk; "
                                      "echo ${COMPREPLY[@]}")
        self.assertEqual(completed("hd"), ["hdbscan"])
        self.assertEqual(completed("--ver"), ["--version"])
        self.assertEqual(completed("knn", "points.npy", "--exclude-s"), ["--exclude-self"])
        self.assertEqual(completed("knn", "poi"), [])  # the shell's own way: files
        for command, options in self.commands().items():
            self.assertEqual(sorted(completed(command, "-")), sorted(options))

    def test_zsh(self):
        self.write("_zwalk", self.ok("completion", "zsh"))
        words = self.shell("zsh", "compadd() { shift; print -- $@ }; words=(zwalk knn --k); CURRENT=3; . ./_zwalk", "-f")
        if words is not None:
            self.assertEqual(sorted(words), sorted(self.commands()["knn"]))

    def test_fish(self):
        self.write("zwalk.fish", self.ok("completion", "fish"))
        self.shell("fish", "source zwalk.fish", "--no-config")
        words = self.shell("fish", "source zwalk.fish; complete -C 'zwalk knn --exclude'", "--no-config")
        if words is not None:
            self.assertIn("--exclude-self", words)

    def test_other_shells_are_refused(self):
        self.refused(2, "SHELL is bash, zsh or fish, not 'tcsh'", "completion", "tcsh")
