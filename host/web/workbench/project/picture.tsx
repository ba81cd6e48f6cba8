import { useEffect, useState } from "preact/hooks";
import type { Pictures } from "../projects/pictures.js";
import type { ArticleItem } from "./lines.js";

/** The picture of an article, or a placeholder. Decorative: the text is beside it. */
export function Picture({ image, pictures }: { image: ArticleItem["image"]; pictures: Pictures }) {
  const sha256 = /\/assets\/([0-9a-f]{64})$/.exec(image?.url ?? "")?.[1];
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    setAddress(undefined);
    if (sha256 === undefined) return;
    let isWanted = true;
    pictures.address(sha256).then(
      (found) => {
        if (isWanted) setAddress(found);
      },
      // The warnings of the project report missing pictures.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [sha256, pictures]);
  return (
    <span class="picture" data-empty={sha256 === undefined || undefined}>
      {address !== undefined && <img src={address} alt="" decoding="async" />}
    </span>
  );
}
