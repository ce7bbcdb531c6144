import { useSignedIn } from '../api/session';

/** Tells a password manager the account of a form. */
export function AccountName() {
  const { user } = useSignedIn();
  return <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />;
}
