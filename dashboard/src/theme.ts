import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

const teal: MantineColorsTuple = [
  '#e3fafc',
  '#c5f6fa',
  '#99e9f2',
  '#66d9e8',
  '#3bc9db',
  '#22b8cf',
  '#15aabf',
  '#0f7f93',
  '#0b6f80',
  '#095c6b',
];

/** Shades are chosen for a contrast of at least 4.5 with what stands on them. */
export const theme = createTheme({
  primaryColor: 'teal',
  colors: { teal },
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
});

/** Mantine's grey for secondary text is too faint for WCAG AA on white and on dark. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#4d565e',
    '--mantine-color-placeholder': '#626b74',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-anchor': '#0b6f80',
  },
  dark: {
    '--mantine-color-dimmed': '#b8bcc0',
    '--mantine-color-placeholder': '#a0a5aa',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#66d9e8',
  },
});
