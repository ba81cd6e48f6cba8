/** How every shipped template looks with a project of 300 articles, in every language. */
import t from "tap";
import { languages, sameAsReference } from "../templates/reference-pictures.js";

t.test("shipped templates look as their reference pictures", (t) => sameAsReference(t, "300", languages));
