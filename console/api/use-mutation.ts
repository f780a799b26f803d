import { useState } from 'preact/hooks';
import type { RequestError } from '../../shared/api/client/request-error.ts';
import { toRequestError } from './to-request-error.ts';

/** Returns a function that sends a form, with its state: whether it is sending, and the error of the last attempt. */
export const useMutation = () => {
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<RequestError>();
  const send = async (work: () => Promise<void>): Promise<void> => {
    setSending(true);
    setError(undefined);
    try {
      await work();
    } catch (caught) {
      setError(toRequestError(caught));
    } finally {
      setSending(false);
    }
  };
  return { isSending, error, send };
};
