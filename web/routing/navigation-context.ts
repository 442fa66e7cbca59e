import { createContext } from 'react';

/** Whether the screen in sight is the first of the visit or was navigated to within the page. */
export type Arrival = 'loaded' | 'navigated';

export const NavigationContext = createContext<Arrival>('loaded');
