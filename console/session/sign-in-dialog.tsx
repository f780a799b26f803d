import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { makeLazy } from '../parts/lazy.tsx';
import { createStore, useStore } from '../state/store.ts';

const TokenForm = makeLazy('TokenForm');

const isOpen = createStore(false);

interface SignInButtonProps {
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** The button that opens the sign-in dialog above the page. */
export const SignInButton = ({ class: name = 'plain', children }: SignInButtonProps) => (
  <button type="button" class={name} onClick={() => isOpen.set(() => true)}>
    {children}
  </button>
);

const OpenDialog = () => {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the next key, which belongs to the field.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const close = (): void => dialog.current?.close();
  return (
    <dialog
      ref={dialog}
      class="sign-in"
      aria-labelledby="sign-in-title"
      onClose={() => isOpen.set(() => false)}
    >
      <TokenForm done={close} cancel={close} />
    </dialog>
  );
};

/** The sign-in dialog; nothing while it is closed. */
export const SignInDialog = () => (useStore(isOpen) ? <OpenDialog /> : null);
