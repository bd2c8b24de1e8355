import '@mantine/core/styles.css';
import '@fontsource-variable/inter/wght.css';
import './styles/app.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './queries';
import { router } from './router';
import { StepUpProvider } from './session/step-up';
import { cssVariables, theme } from './theme';
import { Announcer } from './ui/announcer';

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <StepUpProvider>
          <Announcer>
            <RouterProvider router={router} />
          </Announcer>
        </StepUpProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
