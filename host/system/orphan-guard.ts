import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";

/**
 * Ends the processes that this one has started when it is gone, however it ended: even those that never look at their closed
 * channel, and what they have started themselves. A shell does it, because it takes a megabyte; a thread in each of those
 * processes takes eleven and delays its start. Without /bin/sh, as on Windows, only the closed channel ends them.
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
    // A process without a file descriptor to spare gets an error, and no input of the shell.
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
 * Its input ends with the process that writes it, which is all that ends it: terminals and service managers signal all
 * processes of a host. What leads a group is killed with that group.
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

/** That of this process. */
export const orphanGuard = new OrphanGuard();
