import { button } from './element.js';

const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const place = 'skillpack-report-theme';

/** A button that goes from the colours of the system to light to dark. */
export function createThemeSwitch(): HTMLElement {
  let theme: Theme = recall();
  const show = (): void => {
    if (theme === 'auto') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    made.textContent = `Colours: ${theme}`;
  };
  const made = button('', { class: 'quiet', id: 'theme' }, () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto';
    keep(theme);
    show();
  });
  show();
  return made;
}

function recall(): Theme {
  try {
    const kept = localStorage.getItem(place);
    return themes.find((theme) => theme === kept) ?? 'auto';
  } catch {
    // A browser may give a page from the disk no storage.
    return 'auto';
  }
}

function keep(theme: Theme): void {
  try {
    localStorage.setItem(place, theme);
  } catch {
    // As above: it holds until the page is closed.
  }
}
