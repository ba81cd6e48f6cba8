/** Does what a page tells to do, in its order, and holds what comes of it against what the page shows. */
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { installPlugin } from "../release/installed-packages.js";
import type { Block, Page } from "./pages.js";
import { isPrinted } from "./printed-text.js";
import { OtherTerminal, Shell, type Surroundings } from "./terminal.js";

export interface Followed extends Surroundings {
  /** Folder that the names of files on the page are relative to. */
  files: string;
  /** Texts of the page, such as ports, and what stands for them here. */
  here: ReadonlyMap<string, string>;
}

/** A place where something else came than the page shows. */
export interface Difference {
  after: string;
  shown: string;
  printed: string;
}

/**
 * Blocks and what follows their language:
 * - sh: typed in one shell; a text or JSON that follows is what it prints, and otherwise it has to end with 0. `npm install` is
 *   done without a network.
 * - sh `terminal N`: typed in another terminal, after Ctrl+C there; text `terminal N`: what that prints then.
 * - a name: a file to write; `shown` and a name: a file as it is; `instead of "..." in` and a name: what a line is replaced by;
 *   `at the end of` and a name: what is added to it.
 * - `no-test`: left alone.
 */
export async function followPage(page: Page, followed: Followed): Promise<Difference[]> {
  const follower = new Follower(followed);
  try {
    for (const block of page.blocks) await follower.follow(block);
    return follower.differences;
  } finally {
    await follower.close();
  }
}

class Follower {
  readonly differences: Difference[] = [];
  private readonly shell: Shell;
  private readonly others = new Map<string, OtherTerminal>();
  /** What was typed last, and what came of it, until the page has shown it. */
  private last: { commands: string; output: string; code: number } | undefined;

  constructor(private readonly followed: Followed) {
    this.shell = new Shell(followed);
  }

  async follow(block: Block): Promise<void> {
    const { language, name } = block;
    if (name === "no-test") return;
    const isOutput = name === "" && (language === "text" || language === "json");
    if (isOutput) return this.compare(block);
    this.requireSuccess();
    if (/^terminal \d+$/.test(name)) return await this.other(block);
    if (language === "sh") return await this.type(block.content);
    await this.edit(block);
  }

  async close(): Promise<void> {
    this.requireSuccess();
    for (const each of this.others.values()) await each.interrupt();
    await this.shell.close();
  }

  private async type(commands: string): Promise<void> {
    const rest: string[] = [];
    for (const line of commands.split("\n")) {
      const plugin = /^npm install --prefix (\S+)$/.exec(line)?.[1];
      if (plugin === undefined) rest.push(line);
      else await installPlugin(join(this.followed.folder, plugin));
    }
    this.last = { commands, ...(await this.shell.run(this.translated(rest.join("\n")))) };
  }

  private compare({ content }: Block): void {
    const { commands, output } = this.last ?? { commands: "nothing", output: "" };
    this.last = undefined;
    const printed = this.asPrinted(output);
    if (!isPrinted(content, printed)) this.differences.push({ after: commands, shown: content, printed });
  }

  /** What shows nothing has to go well. */
  private requireSuccess(): void {
    const { last } = this;
    this.last = undefined;
    if (last !== undefined && last.code !== 0)
      this.differences.push({ after: last.commands, shown: "success", printed: last.output });
  }

  private async other({ language, name, content }: Block): Promise<void> {
    const before = this.others.get(name);
    if (language === "sh") {
      await before?.interrupt();
      this.others.set(name, new OtherTerminal(this.translated(content), this.followed));
      return;
    }
    let printed = "";
    await before
      ?.shows((text) => {
        printed = this.asPrinted(text);
        return isPrinted(content, printed);
      })
      .catch(() => this.differences.push({ after: name, shown: content, printed }));
  }

  private async edit({ name, content }: Block): Promise<void> {
    const longer = /^at the end of (\S+)$/.exec(name)?.[1];
    if (longer !== undefined) return await appendFile(join(this.followed.files, longer), content);
    const [, old, edited] = /^instead of "(.+)" in (\S+)$/.exec(name) ?? [];
    const shown = /^shown (\S+)$/.exec(name)?.[1];
    const file = join(this.followed.files, edited ?? shown ?? name);
    if (old !== undefined || shown !== undefined) {
      const text = await readFile(file, "utf8");
      if (shown !== undefined && text !== content)
        this.differences.push({ after: shown, shown: content, printed: text });
      const line = text.split("\n").find((each) => each.trim() === old);
      if (old !== undefined && line === undefined)
        this.differences.push({ after: name, shown: old, printed: text });
      if (line !== undefined)
        await writeFile(
          file,
          text.replace(`${line}\n`, () => content),
        );
      return;
    }
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  private translated(text: string): string {
    return [...this.followed.here].reduce((result, [page, here]) => result.replaceAll(page, here), text);
  }

  private asPrinted(text: string): string {
    return [...this.followed.here].reduce((result, [page, here]) => result.replaceAll(here, page), text);
  }
}
