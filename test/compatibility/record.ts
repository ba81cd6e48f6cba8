/**
 * Writes down what a plugin answers in a host of its time: `record.ts INSTALLATION PLUGINS RECORDING`. INSTALLATION is a
 * built clone, PLUGINS a drop-in folder, RECORDING has the questions and gets the answers.
 */
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { commandLineOf } from "../start-host.js";
import { answersOf, type Recording } from "./recording.js";

const [installation = ".", plugins = "plugins", file = "recording.json"] = process.argv.slice(2);
const program = commandLineOf(resolve(installation));
const { exchanges, ...about }: Recording = JSON.parse(await readFile(file, "utf8"));
const questions = exchanges.map(({ question }) => question);
const { answers } = await answersOf([{ plugin: about.plugin, questions }], {
  plugins: resolve(plugins),
  program,
});
// One line for each, so that a change of one shows as one.
const lines = answers[0]?.map((answer, at) => `    ${JSON.stringify({ question: questions[at], answer })}`);
const head = JSON.stringify(about, undefined, 2).slice(0, -2);
await writeFile(file, `${head},\n  "exchanges": [\n${lines?.join(",\n")}\n  ]\n}\n`);
