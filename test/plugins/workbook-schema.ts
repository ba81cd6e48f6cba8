/** The order of elements that the workbook format (ECMA-376) prescribes, of what Slipway writes. */

/** What may stand in an element, in this order; a list of one kind is named once. */
export const order: Readonly<Record<string, readonly string[]>> = {
  worksheet: words(
    "sheetPr dimension sheetViews sheetFormatPr cols sheetData sheetCalcPr sheetProtection protectedRanges scenarios",
    "autoFilter sortState dataConsolidate customSheetViews mergeCells phoneticPr conditionalFormatting dataValidations",
    "hyperlinks printOptions pageMargins pageSetup headerFooter rowBreaks colBreaks customProperties cellWatches",
    "ignoredErrors smartTags drawing legacyDrawing legacyDrawingHF picture oleObjects controls webPublishItems",
    "tableParts extLst",
  ),
  sheetPr: words("tabColor outlinePr pageSetUpPr"),
  sheetViews: words("sheetView"),
  sheetView: words("pane selection"),
  cols: words("col"),
  sheetData: words("row"),
  row: words("c"),
  c: words("f v is"),
  is: words("t r"),
  r: words("rPr t"),
  hyperlinks: words("hyperlink"),
  headerFooter: words("oddHeader oddFooter evenHeader evenFooter firstHeader firstFooter"),
  ignoredErrors: words("ignoredError"),
  workbook: words(
    "fileVersion fileSharing workbookPr workbookProtection bookViews sheets functionGroups externalReferences",
    "definedNames calcPr",
  ),
  bookViews: words("workbookView"),
  sheets: words("sheet"),
  definedNames: words("definedName"),
  styleSheet: words(
    "numFmts fonts fills borders cellStyleXfs cellXfs cellStyles dxfs tableStyles colors extLst",
  ),
  numFmts: words("numFmt"),
  fonts: words("font"),
  fills: words("fill"),
  fill: words("patternFill gradientFill"),
  patternFill: words("fgColor bgColor"),
  borders: words("border"),
  border: words("start end left right top bottom diagonal vertical horizontal"),
  top: words("color"),
  bottom: words("color"),
  cellStyleXfs: words("xf"),
  cellXfs: words("xf"),
  xf: words("alignment protection"),
  cellStyles: words("cellStyle"),
  "xdr:wsDr": words("xdr:twoCellAnchor"),
  "xdr:twoCellAnchor": words("xdr:from xdr:to xdr:pic xdr:clientData"),
  "xdr:from": words("xdr:col xdr:colOff xdr:row xdr:rowOff"),
  "xdr:to": words("xdr:col xdr:colOff xdr:row xdr:rowOff"),
  "xdr:pic": words("xdr:nvPicPr xdr:blipFill xdr:spPr xdr:style"),
  "xdr:nvPicPr": words("xdr:cNvPr xdr:cNvPicPr"),
  "xdr:cNvPicPr": words("a:picLocks"),
  "xdr:blipFill": words("a:blip a:srcRect a:tile a:stretch"),
  "a:stretch": words("a:fillRect"),
  "xdr:spPr": words("a:xfrm a:prstGeom"),
  "a:xfrm": words("a:off a:ext"),
  "a:prstGeom": words("a:avLst"),
  extLst: words("ext"),
  Relationships: words("Relationship"),
};

/** Elements whose children may come in any order. */
export const unordered: ReadonlySet<string> = new Set([
  "cp:coreProperties",
  "Properties",
  "HeadingPairs",
  "TitlesOfParts",
  "vt:vector",
  "vt:variant",
  "Types",
  "font",
  "ext",
]);

function words(...lines: string[]): string[] {
  return lines.join(" ").split(" ");
}
