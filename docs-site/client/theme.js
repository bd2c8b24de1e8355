// Before the first paint, from a file: the policy of the page lets no script in place in. The choice of colours is the
// dashboard's, so that both look alike.
(() => {
  const stored = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null; // Storage may be forbidden; the system decides then.
    }
  };
  const chosen = stored('mantine-color-scheme-value');
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.documentElement.dataset.language = stored('duka-docs-language') ?? 'curl';
  document.documentElement.classList.add('scripted');
})();
