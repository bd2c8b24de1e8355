import { encode } from 'uqr';

const QUIET = 2;

/** Dark on light in both colour schemes: cameras expect it. */
export default function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: QUIET });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={200}
      height={200}
      role="img"
      aria-label="QR code of the secret"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}
