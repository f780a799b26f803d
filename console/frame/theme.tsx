import { useState } from 'preact/hooks';

const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const themeTexts: Readonly<Record<Theme, string>> = {
  auto: 'same as the system',
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
    // Without storage, the theme lasts until the page is closed.
  }
};

const applyTheme = (theme: Theme): void => {
  document.documentElement.dataset['theme'] = theme;
};

/** Applies the theme that was chosen last in this browser. */
export const applyStoredTheme = (): void => applyTheme(readTheme());

/** The button that changes the theme: same as the system, light, dark. */
export const ThemeButton = () => {
  const [theme, setTheme] = useState(readTheme);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto';
  const choose = (): void => {
    storeTheme(next);
    applyTheme(next);
    setTheme(next);
  };
  const label = `Theme: ${themeTexts[theme]}. Change to ${themeTexts[next]}`;
  return (
    <button type="button" class="plain theme" onClick={choose} aria-label={label} title={label}>
      <span aria-hidden="true">◐</span>
    </button>
  );
};
