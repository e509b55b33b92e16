import './shared/tokens.css';
import { createRoot } from 'react-dom/client';
import { App } from './chat/app.js';
import { words } from './shared/words.js';

document.documentElement.lang = words.language;
document.documentElement.dir = words.direction;
const page = document.getElementById('page');
if (page === null) throw new Error('The page has no place for what it shows.');
createRoot(page).render(<App />);
