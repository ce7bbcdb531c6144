import { useSignedIn } from '../api/session';

/** For the password manager: whose password a form is about. */
export function AccountName() {
  const { user } = useSignedIn();
  return <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />;
}
