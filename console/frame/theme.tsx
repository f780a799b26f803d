import { useState } from 'preact/hooks';

const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const words: Readonly<Record<Theme, string>> = {
  auto: 'as the system',
  light: 'light',
  dark: 'dark',
};

const key = 'registry-theme';

const readTheme = (): Theme => {
  try {
    return themes.find((theme) => theme === localStorage.getItem(key)) ?? 'auto';
  } catch {
    return 'auto';
  }
};

const storeTheme = (theme: Theme): void => {
  try {
    localStorage.setItem(key, theme);
  } catch {
    // It holds for this page then.
  }
};

const applyTheme = (theme: Theme): void => {
  document.documentElement.dataset['theme'] = theme;
};

/** Shows the page as it was chosen last. */
export const applyStoredTheme = (): void => applyTheme(readTheme());

/** Goes through light, dark, and what the system says. */
export const ThemeButton = () => {
  const [theme, setTheme] = useState(readTheme);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto';
  const choose = (): void => {
    storeTheme(next);
    applyTheme(next);
    setTheme(next);
  };
  const label = `Theme: ${words[theme]}. Change to ${words[next]}`;
  return (
    <button type="button" class="plain theme" onClick={choose} aria-label={label} title={label}>
      <span aria-hidden="true">◐</span>
    </button>
  );
};
