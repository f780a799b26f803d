import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { revealHidden } from './reveal-hidden.ts';

/** Returns a ref, and whether its element hides a part of its text. */
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
  /** The kind of text, and its author. */
  readonly label: ComponentChildren;
  readonly text: string;
}

/**
 * Shows a text from a user or a package below a label, cut to four lines until somebody opens it. The frame and the font
 * are used for nothing else, so that nobody takes such a text for a message of the console.
 */
export const QuotedText = ({ label, text }: QuotedTextProps) => {
  const [isExpanded, setExpanded] = useState(false);
  const shown = revealHidden(text);
  const { element, isCut } = useIsCut(shown);
  return (
    <figure class="quoted-text">
      <figcaption>{label}</figcaption>
      <blockquote ref={element} class={isExpanded ? undefined : 'short'}>
        <bdi>{shown}</bdi>
      </blockquote>
      {(isExpanded || isCut) && (
        <button type="button" class="plain" onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? 'Show less' : 'Show all'}
        </button>
      )}
    </figure>
  );
};
