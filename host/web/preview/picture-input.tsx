import { useState } from "preact/hooks";
import { Button } from "../parts/button.js";
import { FileButton } from "../parts/file-button.js";
import { partWords } from "../parts/part-words.js";
import { language, useWords } from "../parts/words.js";
import { type OptionValue, shownValue } from "./option-values.js";

/** Bytes; each request for a report includes the picture. */
const largest = 1_000_000;

const types = ["image/png", "image/jpeg", "image/svg+xml", "image/webp", "image/gif"];

/** Whether a value is a data: URL of a picture. */
export function isEmbeddedPicture(value: OptionValue): boolean {
  return typeof value === "string" && value.startsWith("data:image/");
}

/** Shows a picture with type and size, and a button that chooses another file. */
export function PictureInput(properties: {
  id: string;
  label: string;
  value: OptionValue;
  take(value: string): void;
}) {
  const { id, label, value, take } = properties;
  const words = useWords(partWords).options;
  const address = shownValue(value);
  const [problem, setProblem] = useState<string>();
  const choose = async (file: File): Promise<void> => {
    setProblem(undefined);
    if (!types.includes(file.type)) return setProblem(words.noPicture);
    if (file.size > largest) return setProblem(words.largePicture(sizeText(largest)));
    const chosen = await dataAddress(file);
    if (chosen === undefined || !(await isDrawn(chosen))) return setProblem(words.noPicture);
    take(chosen);
  };
  return (
    <div class="picture-input">
      {isEmbeddedPicture(value) ? (
        <>
          <img src={address} alt="" />
          <span class="quiet">{pictureText(address)}</span>
        </>
      ) : (
        <span class="quiet any-break">{address === "" ? words.withoutPicture : address}</span>
      )}
      <div class="picture-acts">
        <FileButton
          id={id}
          label={`${label}: ${words.choosePicture}`}
          accept={types.join()}
          take={([file]) => void choose(file)}
        >
          {words.choosePicture}
        </FileButton>
        {address !== "" && (
          <Button kind="quiet" label={words.removePictureOf(label)} act={() => take("")}>
            {words.removePicture}
          </Button>
        )}
      </div>
      <p class="picture-problem" role="status">
        {problem}
      </p>
    </div>
  );
}

/** Such as "SVG, 3 kB". */
function pictureText(address: string): string {
  const comma = address.indexOf(",");
  const [type = "", ...parameters] = address.slice("data:image/".length, comma).split(";");
  const data = address.slice(comma + 1);
  const bytes = parameters.includes("base64") ? Math.floor((data.length * 3) / 4) : data.length;
  return `${type.replace("+xml", "").toUpperCase()}, ${sizeText(bytes)}`;
}

function sizeText(bytes: number): string {
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, "kilobyte"] : [bytes / 1_000_000, "megabyte"];
  return new Intl.NumberFormat(language.value, { style: "unit", unit, maximumFractionDigits: 0 }).format(
    Math.max(1, value),
  );
}

/** A file as data: URL; undefined if it cannot be read. */
function dataAddress(file: File): Promise<string | undefined> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () =>
      resolve(typeof reader.result === "string" ? reader.result : undefined),
    );
    reader.addEventListener("error", () => resolve(undefined));
    reader.readAsDataURL(file);
  });
}

/** Whether the browser can draw it. */
function isDrawn(address: string): Promise<boolean> {
  const picture = new Image();
  picture.src = address;
  return picture.decode().then(
    () => true,
    () => false,
  );
}
