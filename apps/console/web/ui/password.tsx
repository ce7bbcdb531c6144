import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTexts } from '../i18n/language';

/** What shows it is reached by the keyboard, and says so in the language of the page. */
export function Password(props: PasswordInputProps) {
  const t = useTexts();
  return <PasswordInput visibilityToggleFocusable visibilityToggleButtonProps={{ 'aria-label': t.common.showPassword }} {...props} />;
}
