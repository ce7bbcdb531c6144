import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp from 'sharp';

interface ReadPage {
  readonly widthPt: number;
  readonly heightPt: number;
  /** The text as a search finds it: each space or line end is one space. */
  readonly text: string;
  readonly images: number;
  /** `scale` pixels for each point, three bytes each. */
  readonly rgb: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Reads and draws a PDF with the engine of a browser, which is independent of the library that wrote it. */
export async function readPdf(bytes: Uint8Array, scale = 1): Promise<ReadPage[]> {
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(bytes);
    const pages: ReadPage[] = [];
    for (const page of document.pages()) {
      const { originalWidth: widthPt, originalHeight: heightPt } = page.getOriginalSize();
      const text = page.getText().replace(/\s+/g, ' ');
      const images = [...page.objects()].filter(({ type }) => type === 'image').length;
      // Must be last, because it closes the page.
      const { data, width, height } = await page.render({ scale, render: async ({ data: rgba }) => rgba });
      const rgb = await sharp(data, { raw: { width, height, channels: 4 } })
        .removeAlpha()
        .raw()
        .toBuffer();
      pages.push({ widthPt, heightPt, text, images, rgb, widthPx: width, heightPx: height });
    }
    document.destroy();
    return pages;
  } finally {
    library.destroy();
  }
}
