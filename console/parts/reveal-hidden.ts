/** What nobody sees, or what has others seen in another order than they are written in. Line ends and tabs are seen. */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

/** More marks on one letter than any language needs: they would be painted over the lines around it. */
const stacked = /(\p{M}{4})(\p{M}+)/gu;

/** A text that others wrote, with what is hidden in it made visible: ⟨U+202E⟩; and stacks of marks cut: ⟨+36 marks⟩. */
export const revealHidden = (text: string): string =>
  text
    .replace(hidden, (character) => {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
      return `⟨U+${code.padStart(4, '0')}⟩`;
    })
    .replace(stacked, (_, shown: string, more: string) => `${shown}⟨+${[...more].length} marks⟩`);
