import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

/** The accent of test mode: the ochre of a shop's awning. Live mode and the platform's pages have theirs in app.css. */
const accent: MantineColorsTuple = [
  '#fdf6ea',
  '#f9e8cb',
  '#f1d29c',
  '#e7ba69',
  '#dca23c',
  '#c9851b',
  '#ad6d0e',
  '#965b07',
  '#804d05',
  '#693f04',
];

/** What went well. */
const teal: MantineColorsTuple = [
  '#e6f7f1',
  '#c9eee0',
  '#9adfc6',
  '#63caa7',
  '#38b48b',
  '#189b73',
  '#0b8462',
  '#076f53',
  '#065d46',
  '#044a38',
];

/** Warm greys: paper by day, coffee by night. */
const gray: MantineColorsTuple = [
  '#faf9f7',
  '#f3f2ef',
  '#e9e7e3',
  '#dddad5',
  '#c8c5be',
  '#a8a49c',
  '#827e76',
  '#5c5952',
  '#3c3a35',
  '#262420',
];
const dark: MantineColorsTuple = [
  '#dcd9d4',
  '#bdb9b2',
  '#9a968e',
  '#6e6a63',
  '#46433d',
  '#36332e',
  '#292723',
  '#1c1a18',
  '#151412',
  '#0f0e0d',
];

/** Shades are chosen for a contrast of at least 4.5 with what stands on them. Sizes are one scale: 12, 13, 14, 16, 20, 24. */
export const theme = createTheme({
  primaryColor: 'accent',
  colors: { accent, teal, gray, dark },
  components: { Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } } },
  primaryShade: { light: 8, dark: 8 },
  black: '#1f1d1a',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.3' },
      h2: { fontSize: '1.5rem', lineHeight: '1.3' },
      h3: { fontSize: '1.25rem', lineHeight: '1.35' },
      h4: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  shadows: { xs: '0 1px 2px rgb(31 29 26 / 6%)', sm: '0 1px 2px rgb(31 29 26 / 5%), 0 4px 12px rgb(31 29 26 / 5%)' },
});

/** Mantine's grey for secondary text is too faint for WCAG AA on white and on dark. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c5952',
    '--mantine-color-placeholder': '#6b675f',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-anchor': 'var(--mantine-color-accent-8)',
    '--mantine-color-default-border': '#e3e0db',
    '--duka-side': '#faf9f7',
    '--duka-raised': '#ffffff',
  },
  dark: {
    '--mantine-color-dimmed': '#b3aea6',
    '--mantine-color-placeholder': '#9f9a91',
    '--mantine-color-error': '#ff8f85',
    '--mantine-color-anchor': 'var(--mantine-color-accent-3)',
    '--mantine-color-default-border': '#36332e',
    '--duka-side': '#171513',
    '--duka-raised': '#23211e',
  },
});
