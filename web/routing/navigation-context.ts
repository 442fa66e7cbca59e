import { createContext } from 'react';

/** Whether the screen in sight is the first of the visit or was navigated to within the page. */
type Arrival = 'loaded' | 'navigated';

/** The title of the screen that the path names, in the page's language; empty where it names itself. */
export const ScreenTitleContext = createContext('');

export const NavigationContext = createContext<Arrival>('loaded');
