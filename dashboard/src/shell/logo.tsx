/** The shop on the corner: an awning over a door. It takes the accent of the mode. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg className="logo" viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="currentColor" />
      <path d="M6 8h20l1.5 6a3.4 3.4 0 0 1-5.7 2 4 4 0 0 1-5.8 0 4 4 0 0 1-5.8 0A3.4 3.4 0 0 1 4.5 14Z" fill="#fff" />
      <path
        d="M7.5 18.5v6h17v-6M13.5 24.5V20h5v4.5"
        fill="none"
        stroke="#fff"
        strokeWidth="2.2"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  );
}
