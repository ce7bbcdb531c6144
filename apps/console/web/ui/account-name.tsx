import { useSignedIn } from '../api/session';

/** The account of a form, for password managers. */
export function AccountName() {
  const { user } = useSignedIn();
  return <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />;
}
