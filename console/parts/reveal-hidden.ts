/** Invisible characters, and characters that change the order of text on the screen. Not line ends and tabs. */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

/** More combining marks on one letter than any language needs. They would cover other lines. */
const stacked = /(\p{M}{4})(\p{M}+)/gu;

/** Makes hidden characters of an untrusted text visible, as ⟨U+202E⟩, and cuts stacked marks, as ⟨+36 marks⟩. */
export const revealHidden = (text: string): string =>
  text
    .replace(hidden, (character) => {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
      return `⟨U+${code.padStart(4, '0')}⟩`;
    })
    .replace(stacked, (_, shown: string, more: string) => `${shown}⟨+${[...more].length} marks⟩`);
