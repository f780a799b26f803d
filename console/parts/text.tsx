import { useState } from 'preact/hooks';
import { revealHidden } from './reveal-hidden.ts';

const maxCharacters = 600;

const maxLines = 4;

/** Returns the first lines of a text, with a maximum of characters. */
const cut = (text: string, most: number): string =>
  text.split('\n', maxLines).join('\n').slice(0, most);

/** An untrusted text on one line. Cut if it does not fit; the tooltip shows more. */
export const Line = ({ text, ...rest }: { readonly text: string; readonly class?: string }) => {
  const shown = revealHidden(text);
  return (
    <bdi {...rest} title={shown.slice(0, maxCharacters)}>
      {shown.slice(0, maxCharacters)}
    </bdi>
  );
};

interface TextProps {
  readonly text: string;
  /** The number of characters that are shown at first. */
  readonly most?: number;
}

/** An untrusted text of any length: the beginning, and a button that shows all. */
export const Text = ({ text, most = maxCharacters }: TextProps) => {
  const [isExpanded, setExpanded] = useState(false);
  const shown = revealHidden(text);
  const beginning = cut(shown, most);
  const isLong = beginning.length < shown.length;
  return (
    <span class="text">
      <bdi>{isLong && !isExpanded ? `${beginning} …` : shown}</bdi>
      {isLong && (
        <button type="button" class="plain" onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? 'Show less' : `Show all ${shown.length.toLocaleString('en')} characters`}
        </button>
      )}
    </span>
  );
};
