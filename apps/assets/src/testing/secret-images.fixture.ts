import { chunk } from '@tire/test-harness';
import sharp from 'sharp';
import { deflateSync } from 'node:zlib';

/** The texts that every image here contains. If other bytes contain one of them, a secret has leaked. */
export const SECRETS = ['OWNER-SECRET', 'DEVICE-SECRET', 'PLACE-SECRET', 'Exif', 'GPSLatitude', 'xmpmeta', 'zTXt', 'iTXt', 'eXIf'];

const XMP = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/"
 exif:GPSLatitude="37,33.9N" exif:Place="PLACE-SECRET"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

const EXIF = {
  IFD0: { Model: 'DEVICE-SECRET', Artist: 'OWNER-SECRET' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '37/1 33/1 54/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '126/1 58/1 40/1',
    GPSAreaInformation: 'PLACE-SECRET',
  },
};

const tire = (widthPx: number, heightPx: number) =>
  sharp({ create: { width: widthPx, height: heightPx, channels: 3, background: '#556677' } });

const END_BYTES = 12;

async function withTexts(...texts: readonly Buffer[]): Promise<Buffer> {
  const plain = await tire(300, 200).png().toBuffer();
  return Buffer.concat([plain.subarray(0, -END_BYTES), ...texts, plain.subarray(-END_BYTES)]);
}

/** Photographs with the position, the owner and the device in each place where a format has room for them. */
export const secretImages = (): Record<string, () => Promise<Buffer>> => ({
  'a JPEG with EXIF': () => tire(300, 200).withExif(EXIF).jpeg().toBuffer(),
  'a JPEG with XMP': () => tire(300, 200).withXmp(XMP).jpeg().toBuffer(),
  'a JPEG with a comment': async () => {
    const plain = await tire(300, 200).jpeg().toBuffer();
    const text = Buffer.from('OWNER-SECRET');
    return Buffer.concat([plain.subarray(0, 2), Buffer.from([0xff, 0xfe, 0, text.length + 2]), text, plain.subarray(2)]);
  },
  'a PNG with eXIf': () => tire(300, 200).withExif(EXIF).png().toBuffer(),
  'a PNG with XMP in iTXt': () => withTexts(chunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${XMP}`))),
  'a PNG with texts': () =>
    withTexts(
      chunk('tEXt', Buffer.from('Author\0OWNER-SECRET')),
      chunk('zTXt', Buffer.concat([Buffer.from('Place\0\0'), deflateSync('PLACE-SECRET')])),
      chunk('iTXt', Buffer.from('Device\0\0\0\0\0DEVICE-SECRET')),
    ),
});
