import { execFile, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const EXAMPLES = join(import.meta.dirname, "../../docs/wire-format");

/** A publisher in another language, asked by JSON lines. */
export type Example = {
  readonly language: string;
  /** Whether its toolchain is at hand. */
  readonly runs: boolean;
  /** One answer for each line. */
  answers(lines: readonly unknown[]): Promise<readonly unknown[]>;
};

export const PYTHON: Example = {
  language: "Python",
  runs: works("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"]),
  answers: (lines) =>
    asked(
      "python3",
      ["-B", join(import.meta.dirname, "message_lines.py"), join(EXAMPLES, "python")],
      lines,
    ),
};

/** The Go example without its publisher, so that the SDK need not be fetched. */
export const GO: Example = {
  language: "Go",
  runs: works("go", ["version"]),
  async answers(lines): Promise<readonly unknown[]> {
    const folder = mkdtempSync(join(tmpdir(), "wire-format-"));
    try {
      cpSync(join(EXAMPLES, "go/wire.go"), join(folder, "wire.go"));
      writeFileSync(join(folder, "go.mod"), "module example.com/game/backlog\n\ngo 1.24\n");
      mkdirSync(join(folder, "lines"));
      cpSync(join(import.meta.dirname, "message_lines.go"), join(folder, "lines/main.go"));
      return await asked("go", ["run", "./lines"], lines, { cwd: folder });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Whether the Python example can publish here. */
export const HAS_BOTO3: boolean = PYTHON.runs && works("python3", ["-c", "import boto3"]);

/** Publishes lines of {key, payload, id} by the Python example. `script` stands beside this file. */
export async function publishByPython(
  lines: readonly unknown[],
  environment: Readonly<Record<string, string>> = {},
  script = "publish.py",
): Promise<unknown> {
  const words = [join(import.meta.dirname, script), join(EXAMPLES, "python")];
  return (await asked("python3", ["-B", ...words], lines, { env: environment }))[0];
}

function works(command: string, words: readonly string[]): boolean {
  return spawnSync(command, words, { stdio: "ignore" }).status === 0;
}

function asked(
  command: string,
  words: readonly string[],
  lines: readonly unknown[],
  {
    cwd,
    env = {},
  }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      command,
      [...words],
      {
        maxBuffer: 1 << 26,
        // biome-ignore lint/style/noProcessEnv: the toolchains are found by the PATH of whoever runs the tests.
        env: { ...process.env, ...env },
        ...(cwd === undefined ? {} : { cwd }),
      },
      (error, stdout) =>
        error === null
          ? resolve(
              stdout
                .trimEnd()
                .split("\n")
                .map((line) => JSON.parse(line)),
            )
          : reject(error),
    );
    child.stdin?.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  });
}
