printf 'Address of your receiver: ' && read -r TIRE_CALLBACK_URL && export TIRE_CALLBACK_URL
