import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { readAddress } from '../address/address.ts';
import { makeLazy } from '../parts/lazy.tsx';
import { createStore, useStore } from '../state/store.ts';
import { signInError } from './session.ts';

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

/** The sign-in dialog; nothing while it is closed. It opens with the error of a sign-in at the provider. */
export const SignInDialog = () => {
  const error = useStore(signInError);
  useEffect(() => {
    if (error !== null && readAddress().view !== 'sign-in') isOpen.set(() => true);
  }, [error]);
  return useStore(isOpen) ? <OpenDialog /> : null;
};
