import { useState } from 'preact/hooks';
import { revealHidden } from './reveal-hidden.ts';

const longest = 600;

const mostLines = 4;

/** Returns the beginning of a text: a few of its lines, and not too many characters. */
const cut = (text: string): string => text.split('\n', mostLines).join('\n').slice(0, longest);

/** What others wrote, on one line of its own or in a row: cut where it does not fit, whole on hover. */
export const Line = ({ text, ...rest }: { readonly text: string; readonly class?: string }) => {
  const shown = revealHidden(text);
  return (
    <bdi {...rest} title={shown.slice(0, longest)}>
      {shown.slice(0, longest)}
    </bdi>
  );
};

/** What others wrote, of any length: the beginning, and all on demand. */
export const Text = ({ text }: { readonly text: string }) => {
  const [isWhole, setWhole] = useState(false);
  const shown = revealHidden(text);
  const beginning = cut(shown);
  const isLong = beginning.length < shown.length;
  return (
    <span class="text">
      <bdi>{isLong && !isWhole ? `${beginning} …` : shown}</bdi>
      {isLong && (
        <button type="button" class="plain" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${shown.length.toLocaleString('en')} characters`}
        </button>
      )}
    </span>
  );
};
