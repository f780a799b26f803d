import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { revealHidden } from './reveal-hidden.ts';

/** Returns whether an element has more than it shows, also after the window has changed. */
const useIsCut = (text: string) => {
  const element = useRef<HTMLQuoteElement>(null);
  const [isCut, setCut] = useState(false);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const measure = (): void => setCut(current.scrollHeight > current.clientHeight + 1);
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, [text]);
  return { element, isCut };
};

interface QuotedTextProps {
  /** Names the text and its author. */
  readonly label: ComponentChildren;
  readonly text: string;
}

/**
 * Shows a text of somebody else below a label, four lines of it until it is opened. The console shows nothing of its own
 * within such a frame and in that type, so that marks and headings in the text are not taken for the console's.
 */
export const QuotedText = ({ label, text }: QuotedTextProps) => {
  const [isWhole, setWhole] = useState(false);
  const shown = revealHidden(text);
  const { element, isCut } = useIsCut(shown);
  return (
    <figure class="quoted-text">
      <figcaption>{label}</figcaption>
      <blockquote ref={element} class={isWhole ? undefined : 'short'}>
        <bdi>{shown}</bdi>
      </blockquote>
      {(isWhole || isCut) && (
        <button type="button" class="plain" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : 'Show all'}
        </button>
      )}
    </figure>
  );
};
