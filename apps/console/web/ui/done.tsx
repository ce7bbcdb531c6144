import { Alert } from '@mantine/core';

export const Done = ({ text }: { text: string }) => (
  <Alert color="green" variant="light" role="status">
    {text}
  </Alert>
);
