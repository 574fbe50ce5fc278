import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNull,
  type PDFObject,
  PDFObjectCopier,
  PDFPage,
  type PDFPageLeaf,
  PDFRef,
} from '@cantoo/pdf-lib';

const marker = PDFName.of('CopiedPage');

/**
 * Appends pages of a loaded document, numbered from 1, to another.
 *
 * Links, form fields and article threads refer from page to page, so a plain copy of one page carries others along,
 * unseen but readable in the file. Here every page of the source is cut out of that web while it is copied: a reference
 * to a page that is taken leads to its copy, one to any other page leads nowhere.
 */
export function copyPages(source: PDFDocument, target: PDFDocument, numbers: readonly number[]): void {
  const pages = source.getPages();
  const leaves = new Map(numbers.map((number) => [number, leafOf(pages, number)]));
  const restore = cutOut(source, pages, new Set(numbers));
  const copier = PDFObjectCopier.for(source.context, target.context);
  const copies = new Map([...leaves].map(([number, leaf]) => [number, copier.copy(leaf)]));
  restore();
  const references = linkedPages(target);
  const used = new Set<PDFPageLeaf>();
  for (const number of numbers) {
    const copy = copies.get(number);
    if (copy === undefined) continue;
    // A page taken twice needs a dictionary of its own, since it gets a parent; what it shows is shared.
    const node = used.has(copy) ? copy.clone(target.context) : copy;
    const ref = (used.has(copy) ? undefined : references.get(number)) ?? target.context.nextRef();
    used.add(copy);
    target.context.assign(ref, node);
    target.addPage(PDFPage.of(node, ref, target));
  }
}

/** Replaces the pages that are taken by markers, and all others and what is pinned to them by nothing. */
function cutOut(source: PDFDocument, pages: readonly PDFPage[], taken: ReadonlySet<number>): () => void {
  const { context } = source;
  const before = new Map<PDFRef, PDFObject>();
  const replace = (ref: PDFRef, by: PDFObject): void => {
    const object = context.lookup(ref);
    if (object === undefined || before.has(ref)) return;
    before.set(ref, object);
    context.assign(ref, by);
  };
  for (const [index, page] of pages.entries()) {
    const number = index + 1;
    if (taken.has(number)) {
      replace(page.ref, context.obj({ [marker.decodeText()]: number }));
      continue;
    }
    for (const annotation of annotationsOf(page)) replace(annotation, PDFNull);
    replace(page.ref, PDFNull);
  }
  return () => {
    for (const [ref, object] of before) context.assign(ref, object);
  };
}

function annotationsOf({ doc, node }: PDFPage): readonly PDFRef[] {
  const annotations = doc.context.lookup(node.get(PDFName.of('Annots')));
  if (!(annotations instanceof PDFArray)) return [];
  return annotations.asArray().filter((annotation) => annotation instanceof PDFRef);
}

/** What the result cannot carry of a document, in words for the person; empty if nothing is lost. */
export function losses(document: PDFDocument): readonly string[] {
  const { catalog, context } = document;
  const form = context.lookup(catalog.get(PDFName.of('AcroForm')));
  const fields = form instanceof PDFDict ? context.lookup(form.get(PDFName.of('Fields'))) : undefined;
  const names = context.lookup(catalog.get(PDFName.of('Names')));
  return [
    catalog.has(PDFName.of('Outlines')) ? 'bookmarks' : '',
    fields instanceof PDFArray && fields.size() > 0 ? 'form fields (they stay visible, but cannot be filled in)' : '',
    names instanceof PDFDict && names.has(PDFName.of('EmbeddedFiles')) ? 'attachments' : '',
    names instanceof PDFDict && names.has(PDFName.of('Dests')) ? 'named link targets' : '',
    catalog.has(PDFName.of('PageLabels')) ? 'page labels' : '',
    catalog.has(PDFName.of('StructTreeRoot')) ? 'accessibility tags' : '',
  ].filter((loss) => loss !== '');
}

function leafOf(pages: readonly PDFPage[], number: number): PDFPageLeaf {
  const page = pages[number - 1];
  if (page === undefined) throw new Error(`Page ${number} was not checked against the ${pages.length} there are.`);
  return page.node;
}

/** Where copied content refers to a page that was taken, the copy of the marker waits under the reference to use. */
function linkedPages(target: PDFDocument): ReadonlyMap<number, PDFRef> {
  const found = new Map<number, PDFRef>();
  for (const [ref, object] of target.context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFDict) || !object.has(marker)) continue;
    const number = Number(object.get(marker)?.toString());
    found.set(number, ref);
  }
  return found;
}
