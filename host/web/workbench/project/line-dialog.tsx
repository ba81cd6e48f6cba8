import { Dialog } from "../../parts/dialog.js";
import { Facts } from "../../parts/panel.js";
import { partWords } from "../../parts/part-words.js";
import { useWords } from "../../parts/words.js";
import { useFormats, useWorkbenchWords } from "../words/words.js";
import { type ArticleItem, nameOf } from "./lines.js";
import { Picture } from "./picture.js";
import type { ProjectPlace } from "./project-place.js";

/** All details of an article. */
export function LineDialog(properties: { article: ArticleItem; place: ProjectPlace; close(): void }) {
  const { article, place, close } = properties;
  const words = useWorkbenchWords();
  const formats = useFormats();
  const { currency } = place.data;
  const money = (value: string | null): string =>
    value === null ? words.project.noPrice : formats.money(value, currency);
  const { columns } = words.project;
  const texts = [article.longText, article.specialModelInfo, article.additionalText];
  return (
    <Dialog title={nameOf(article)} close={close}>
      <div class="dialog-body article">
        <div class="article-head">
          {article.image !== null && <Picture image={article.image} pictures={place.pictures} />}
          <Facts
            facts={[
              [columns.position, article.position],
              [columns.article, article.articleNumber],
              [
                "",
                [article.manufacturerName || article.manufacturerId, article.seriesName]
                  .filter((text) => text !== "")
                  .join(" · "),
              ],
              [columns.quantity, formats.decimal(article.quantity)],
              [columns.unit, money(article.unitPrice)],
              [columns.total, money(article.totalPrice)],
            ]}
          />
        </div>
        {texts
          .filter((text) => text !== "")
          .map((text) => (
            <p key={text} class="pre-line">
              {text}
            </p>
          ))}
        {article.features.length > 0 && (
          <section>
            <h3>{words.project.features}</h3>
            <Facts facts={article.features.map(({ name, value }) => [name, value])} />
          </section>
        )}
        {article.priceDetails.length > 0 && (
          <section>
            <h3>{words.project.prices}</h3>
            <dl class="sums">
              {article.priceDetails.map(({ kind, label, percentage, totalPrice }, index) => (
                <div key={index} data-kind={kind}>
                  <dt>
                    {label}
                    {percentage !== null && ` ${formats.decimal(percentage)} %`}
                  </dt>
                  <dd>{money(totalPrice)}</dd>
                </div>
              ))}
            </dl>
          </section>
        )}
      </div>
      <footer class="dialog-foot">
        <button type="button" class="button" onClick={close}>
          {useWords(partWords).close}
        </button>
      </footer>
    </Dialog>
  );
}
