/** What nobody sees, or what has others seen in another order than they are written in. Line ends and tabs are seen. */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

/** A text that others wrote, with what is hidden in it made visible: ⟨U+202E⟩. */
export const showHidden = (text: string): string =>
  text.replace(hidden, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return `⟨U+${code.padStart(4, '0')}⟩`;
  });
