import { announce } from '../state/announcements.ts';

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, after a verb: `the digest of left-pad-1.3.0.tgz`. */
  readonly what: string;
  /** The label of the button; `Copy` if omitted. */
  readonly label?: string;
}

const copy = async ({ text, what }: Omit<CopyButtonProps, 'label'>): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text);
    announce(`Copied ${what}.`);
  } catch {
    announce('The browser blocked copying. Click the text to select it.');
  }
};

/** A button that copies a text, and announces the result. */
export const CopyButton = ({ label, ...props }: CopyButtonProps) => (
  <button
    type="button"
    class="plain"
    aria-label={label === undefined ? `Copy ${props.what}` : undefined}
    onClick={() => copy(props)}
  >
    {label ?? 'Copy'}
  </button>
);
