/**
 * Opens and writes projects in a separate process: a large one takes seconds and many times its size in memory, which must not
 * affect other requests. (A thread that runs out of memory can end the whole process.)
 */
import { RequestError } from "@slipway/sdk";
import { answerHost } from "../system/child-process.js";
import { errorStack } from "../system/errors.js";
import { openProject } from "./open-project.js";
import type { OpeningAnswer, OpeningQuestion, WrittenFormat } from "./opening-messages.js";
import { writeProject } from "./write-project.js";

answerHost(async (bytes, question: OpeningQuestion | WrittenFormat): Promise<OpeningAnswer> => {
  try {
    if ("format" in question) return { file: await writeProject(bytes, question) };
    return { project: await openProject(bytes, question.declared, question.held) };
  } catch (error) {
    if (error instanceof RequestError) return { refused: error.toObject() };
    return { failed: errorStack(error) };
  }
});
