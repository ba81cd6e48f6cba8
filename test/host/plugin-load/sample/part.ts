/** Replaced in every copy: with the version in another file, a mixture of two versions is seen. */
export const part = "0.0.0";
