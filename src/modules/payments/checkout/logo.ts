/** So that it fits, in base64, into a body of the usual size. */
export const LOGO_BYTES_MAX = 32 * 1_024;
/** Of a side: a small file can unpack into a very large picture. */
export const LOGO_PIXELS_MAX = 1_024;

export type LogoType = 'image/png' | 'image/jpeg' | 'image/webp';

interface Picture {
  readonly type: LogoType;
  readonly width: number;
  readonly height: number;
}

/** More than any header that is read below. */
const PADDING = Buffer.alloc(32);

/** What a file is by its own bytes, from the first to the last one; null for all but a whole PNG, JPEG or WebP. */
export function pictureOf(file: Buffer): Picture | null {
  // What is cut off is read as zeros.
  const bytes = Buffer.concat([file, PADDING]);
  return pngOf(bytes, file.length) ?? jpegOf(bytes, file.length) ?? webpOf(bytes, file.length);
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
/** Length, type and checksum. */
const CHUNK_BYTES = 12;

function pngOf(bytes: Buffer, length: number): Picture | null {
  if (!bytes.subarray(0, PNG.length).equals(PNG) || bytes.toString('latin1', 12, 16) !== 'IHDR') return null;
  for (let at = PNG.length, end; at < length; at = end) {
    end = at + CHUNK_BYTES + bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) !== 'IEND') continue;
    if (end !== length) return null;
    return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  return null;
}

/** Start of a frame: all of C0 to CF but the tables C4 and CC, and C8, which nobody uses. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const isEnd = (last: Buffer): boolean => last.toString('hex') === 'ffd9';

function jpegOf(bytes: Buffer, length: number): Picture | null {
  if (bytes.readUInt16BE(0) !== 0xffd8 || !isEnd(bytes.subarray(length - 2, length))) return null;
  for (let at = 2; at < length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (isFrame(bytes.readUInt8(at + 1)))
      return { type: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return null;
}

function webpOf(bytes: Buffer, length: number): Picture | null {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return null;
  if (bytes.readUInt32LE(4) !== length - 8) return null;
  const sides = webpSidesOf(bytes);
  return sides && { type: 'image/webp', width: sides[0], height: sides[1] };
}

/** With loss, without, and with extras: each says its size elsewhere. */
function webpSidesOf(bytes: Buffer): readonly [number, number] | null {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21);
      return [(packed & 0x3fff) + 1, ((packed >> 14) & 0x3fff) + 1];
    }
    case 'VP8X':
      return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
    default:
      return null;
  }
}
