import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { createStore, useStore } from '../state/store.ts';
import { TokenForm } from './token-form.tsx';

const isAsked = createStore(false);

interface SignInButtonProps {
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Asks for a token above what is on the screen, which stays as it is. */
export const SignInButton = ({ class: name = 'plain', children }: SignInButtonProps) => (
  <button type="button" class={name} onClick={() => isAsked.set(() => true)}>
    {children}
  </button>
);

const OpenDialog = () => {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the next key, which is for the field.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const close = (): void => dialog.current?.close();
  return (
    <dialog
      ref={dialog}
      class="sign-in"
      aria-labelledby="sign-in-title"
      onClose={() => isAsked.set(() => false)}
    >
      <TokenForm done={close} cancel={close} />
    </dialog>
  );
};

/** The dialog that asks for a token, while it is asked for. */
export const SignInDialog = () => (useStore(isAsked) ? <OpenDialog /> : null);
