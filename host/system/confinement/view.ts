/** The view that a confined process has of the file system: what it is built of, and the shell script that builds it. */
import { existsSync, lstatSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";

/** A mount of the view. */
export interface ViewPath {
  /** An absolute path, outside as inside of the view. */
  path: string;
  writable: boolean;
}

/** Folders with the libraries and programs of the system. */
const systemFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store"];

/** Files of the system that Node.js, its libraries and ordinary programs read; none holds a secret. */
const systemFiles = [
  "/dev/null",
  "/dev/zero",
  "/dev/random",
  "/dev/urandom",
  "/etc/alternatives",
  "/etc/ld.so.cache",
  "/etc/localtime",
  "/etc/passwd",
  "/etc/group",
  "/etc/ssl",
  "/etc/ca-certificates",
  "/etc/pki",
];

/** Files that resolve names, for processes with a network. */
const networkFiles = ["/etc/hosts", "/etc/nsswitch.conf", "/etc/resolv.conf"];

/**
 * Builds the view in the folder $1 of new namespaces, makes it the root and gives up all privileges. $2: the table of mounts.
 * $3: the working folder. $4 and $5: folders and files to mount on, $6: links, by line. Then the command, which a shell
 * waits for: the first process of a namespace cannot end by a signal as others do.
 */
export const viewScript = `set -efu
root=$1 table=$2 work=$3 folders=$4 files=$5 links=$6
shift 6
PATH=/usr/sbin:/usr/bin:/sbin:/bin
IFS='
'
mount -n -t tmpfs -o mode=755,size=4m,nosuid view "$root"
cd "$root"
mkdir -p proc $folders
for file in $files; do : > "$file"; done
[ -z "$links" ] || ln -s $links .
printf '%s' "$table" > .mounts
mount -n -a -T .mounts
mount -n -o remount,ro,nosuid view "$root"
pivot_root . .
umount -n -l .
cd "$work"
IFS=' '
drop=$(command -v setpriv)
unset PATH OLDPWD PWD
exec "$drop" --no-new-privs --inh-caps=-all --ambient-caps=-all --bounding-set=-all -- \\
  /bin/sh -c 'unset PWD OLDPWD; exec 9>&2 2> /dev/null; "$@" 2>&9 9>&-; exit $?' sh "$@"
`;

/** The parameters $2 to $6 of the script. `root` is where it builds the view. */
export function viewParameters(
  root: string,
  { paths, network, workFolder }: { paths: readonly ViewPath[]; network: boolean; workFolder: string },
): string[] {
  const links = systemFolders.filter((path) => isRelativeLink(path));
  const system = [...systemFolders, ...systemFiles, ...(network ? networkFiles : [])]
    .filter((path) => existsSync(path) && !links.includes(path))
    .map((path) => ({ path, writable: false }));
  const mounted = outermost([...system, ...paths]);
  const bad = mounted.find(({ path }) => path.includes("\n"));
  if (bad !== undefined) throw new Error("A path with a line break cannot be confined.");
  const below = (path: string): string => path.slice(1);
  const isFolder = ({ path }: ViewPath): boolean => statSync(path).isDirectory();
  const files = mounted.filter((each) => !isFolder(each)).map(({ path }) => below(path));
  const folders = [
    ...mounted.filter(isFolder).map(({ path }) => below(path)),
    ...files.map((file) => file.slice(0, Math.max(file.lastIndexOf("/"), 0)) || "."),
  ];
  const table = [
    ...mounted.map(({ path, writable }) =>
      mountOf(path, join(root, path), path.startsWith("/dev/"), writable),
    ),
    `proc ${escaped(join(root, "proc"))} proc nosuid,nodev,noexec 0 0`,
  ];
  return [
    `${table.join("\n")}\n`,
    workFolder,
    [...new Set(folders)].join("\n"),
    files.join("\n"),
    links.map((path) => readlinkSync(path)).join("\n"),
  ];
}

function mountOf(source: string, target: string, isDevice: boolean, writable: boolean): string {
  // A device keeps its options: further ones may take some away that are locked.
  const options = isDevice ? "rbind" : `rbind,nosuid,nodev,${writable ? "rw" : "ro"}`;
  return `${escaped(source)} ${escaped(target)} none ${options} 0 0`;
}

/** Without paths below others that are as writable; folders before what is below them. */
function outermost(paths: readonly ViewPath[]): ViewPath[] {
  const sorted = [...paths].sort((one, other) => (one.path < other.path ? -1 : 1));
  const kept: ViewPath[] = [];
  for (const each of sorted) {
    const covers = (outer: ViewPath): boolean =>
      outer.writable === each.writable &&
      (each.path === outer.path || each.path.startsWith(`${outer.path}/`));
    if (!kept.some(covers)) kept.push(each);
  }
  return kept;
}

/** As fstab(5) has it. */
function escaped(path: string): string {
  return path.replaceAll(
    /[\\ \t]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
}

/** Whether a system folder is a link into /usr, named as its target. */
function isRelativeLink(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isSymbolicLink() === true && readlinkSync(path) === `usr${path}`;
}
