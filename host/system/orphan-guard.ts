import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";

/**
 * Ends the child processes of this process after its end, whatever the cause: also children that ignore their closed channel,
 * and their own children. A shell does this with one megabyte; a thread in each child would take eleven and delay its start.
 * Without /bin/sh, as on Windows, only the closed channel ends them.
 */
class OrphanGuard {
  private readonly guarded = new Set<number>();
  private shell: ChildProcess | undefined;

  add(processId: number): void {
    this.guarded.add(processId);
    if (this.shell === undefined) this.start();
    else this.tell(`+ ${processId}`);
  }

  remove(processId: number): void {
    this.guarded.delete(processId);
    this.tell(`- ${processId}`);
  }

  private start(): void {
    if (process.platform === "win32") return;
    // Without a free file descriptor, this fails and the shell has no input.
    const shell: ChildProcess = spawn("/bin/sh", ["-c", script], {
      cwd: "/",
      env: {},
      stdio: ["pipe", "ignore", "ignore"],
    });
    const lose = (): void => {
      if (this.shell === shell) this.shell = undefined;
    };
    shell.on("error", lose).on("exit", lose);
    shell.stdin?.on("error", lose);
    shell.unref();
    if (shell.stdin instanceof Socket) shell.stdin.unref();
    this.shell = shell;
    for (const each of this.guarded) this.tell(`+ ${each}`);
  }

  private tell(line: string): void {
    this.shell?.stdin?.write(`${line}\n`);
  }
}

/**
 * Ends only with its input, which ends with the host: it ignores signals, because terminals and service managers signal all
 * processes of a host. Kills the group of a process that leads one.
 */
const script = `
trap "" HUP INT TERM
guarded=
while read -r sign id; do
  others=
  for each in $guarded; do [ "$each" = "$id" ] || others="$others $each"; done
  guarded=$others
  [ "$sign" = - ] || guarded="$guarded $id"
done
for each in $guarded; do kill -s KILL -- "-$each" || kill -s KILL "$each"; done`;

/** The guard of this process. */
export const orphanGuard = new OrphanGuard();
