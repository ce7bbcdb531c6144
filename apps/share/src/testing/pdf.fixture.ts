import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp from 'sharp';

interface ReadPage {
  readonly widthPt: number;
  readonly heightPt: number;
  /** What a search finds: blanks and ends of lines are one blank each. */
  readonly text: string;
  readonly images: number;
  /** A pixel a point, three bytes each. */
  readonly rgb: Uint8Array;
}

/** Read and drawn by the engine of a browser, which knows nothing of the library that wrote it. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPage[]> {
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(bytes);
    const pages: ReadPage[] = [];
    for (const page of document.pages()) {
      const { originalWidth: widthPt, originalHeight: heightPt } = page.getOriginalSize();
      const text = page.getText().replace(/\s+/g, ' ');
      const images = [...page.objects()].filter(({ type }) => type === 'image').length;
      // Last: it closes the page.
      const { data, width, height } = await page.render({ scale: 1, render: async ({ data: rgba }) => rgba });
      const rgb = await sharp(data, { raw: { width, height, channels: 4 } })
        .removeAlpha()
        .raw()
        .toBuffer();
      pages.push({ widthPt, heightPt, text, images, rgb });
    }
    document.destroy();
    return pages;
  } finally {
    library.destroy();
  }
}
