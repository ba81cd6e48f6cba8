/**
 * Opens projects in a separate process: a large one takes seconds and many times its size in memory, which must not
 * affect other requests. (A thread that runs out of memory can end the whole process.)
 */
import { RequestError } from "@slipway/sdk";
import { answerHost } from "../system/child-process.js";
import { errorStack } from "../system/errors.js";
import { openProject } from "./open-project.js";
import type { OpeningAnswer, OpeningQuestion } from "./opening-messages.js";

answerHost(async (bytes, { declared, held }: OpeningQuestion): Promise<OpeningAnswer> => {
  try {
    return { project: await openProject(bytes, declared, held) };
  } catch (error) {
    if (error instanceof RequestError) return { refused: error.toObject() };
    return { failed: errorStack(error) };
  }
});
